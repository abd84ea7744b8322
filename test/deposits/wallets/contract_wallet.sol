// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

/// A wallet that is a contract: it has no key, and its owner's signature is its own (EIP-1271).
contract ContractWallet {
    address private immutable owner;

    constructor(address owner_) {
        owner = owner_;
    }

    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
        require(signature.length == 65, "no signature");
        bytes32 r = bytes32(signature[0:32]);
        bytes32 s = bytes32(signature[32:64]);
        address signer = ecrecover(hash, uint8(signature[64]), r, s);
        return signer == owner ? bytes4(0x1626ba7e) : bytes4(0xffffffff);
    }

    /// Tests pay with it; nobody else has any use for it.
    function execute(address to, bytes calldata data) external {
        (bool ok,) = to.call(data);
        require(ok, "it failed");
    }
}

/// Its one answer is a bool, as of contracts that know nothing of EIP-1271.
contract Yes {
    fallback(bytes calldata) external returns (bytes memory) {
        return abi.encode(true);
    }
}
