// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

interface Router {
    function depositToken(address token, uint256 amount, bytes32 ref) external;
}

/// Tokens that are not as they should be. Anybody has any amount of them.
abstract contract OddToken {
    mapping(address => uint256) public balanceOf;

    function transferFrom(address, address to, uint256 value) external virtual returns (bool);
}

/// Keeps a tenth of what is paid.
contract FeeToken is OddToken {
    function transferFrom(address, address to, uint256 value) external override returns (bool) {
        balanceOf[to] += value - value / 10;
        return true;
    }
}

/// Says that it was paid, and does nothing.
contract LyingToken is OddToken {
    function transferFrom(address, address, uint256) external pure override returns (bool) {
        return true;
    }
}

/// Pays once more while it is paid, so that what arrived would be counted twice.
contract CallingToken is OddToken {
    bool private isCalling;

    function transferFrom(address, address to, uint256 value) external override returns (bool) {
        if (!isCalling) {
            isCalling = true;
            Router(msg.sender).depositToken(address(this), value, bytes32(0));
        }
        balanceOf[to] += value;
        return true;
    }
}
