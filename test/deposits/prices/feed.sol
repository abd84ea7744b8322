// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// A price feed, by the interface of Chainlink's: AggregatorV3Interface.
contract Feed {
    uint8 public decimals = 8;
    uint80 private round;
    int256 private answer;
    uint256 private updatedAt;

    function set(uint8 places, uint80 id, int256 price, uint256 time) external {
        (decimals, round, answer, updatedAt) = (places, id, price, time);
    }

    function latestRoundData()
        external
        view
        returns (uint80, int256, uint256, uint256, uint80)
    {
        return (round, answer, updatedAt, updatedAt, round);
    }
}
